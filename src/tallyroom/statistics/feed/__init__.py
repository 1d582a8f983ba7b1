"""What is fed to a listing: profiles, counters, votes."""
