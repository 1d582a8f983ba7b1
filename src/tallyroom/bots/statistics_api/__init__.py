"""The Statistics API: profiles, history, rankings and comparisons of bots, and how they are fed."""
