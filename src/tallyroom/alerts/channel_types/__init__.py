"""Types of alert channels: what each needs as its destination, and what it writes."""
