"""The listing of bots as a whole: whether its pictures are public."""
