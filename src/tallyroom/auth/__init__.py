"""Who is asking and what they may do: keys, sessions, roles and guards."""
