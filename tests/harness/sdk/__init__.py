"""What the tests of the clients share."""
