"""What a hostile client may send to each family of endpoints: small requests that cost much, and large ones."""
