"""The event list: newest first, filtered, and with single events hidden."""
