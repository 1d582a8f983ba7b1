"""What several tests need to drive a real server from outside."""
