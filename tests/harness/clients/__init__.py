"""What people and programs do to a server from outside."""
