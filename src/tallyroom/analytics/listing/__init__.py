"""The listing of bots as a whole: whether anybody may have pictures of it."""
