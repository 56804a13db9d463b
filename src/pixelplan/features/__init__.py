"""What a state looks like: feature sets and the novelty tables that know them."""
