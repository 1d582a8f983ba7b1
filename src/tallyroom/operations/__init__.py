"""What operators do: back up, restore, move and check an installation."""
