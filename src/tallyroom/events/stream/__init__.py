"""The event stream: newly stored events for clients that stay connected."""
