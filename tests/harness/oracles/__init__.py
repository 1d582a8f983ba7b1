"""What an answer has to be, worked out in another way."""
