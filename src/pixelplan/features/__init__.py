"""Features of states: feature sets and the novelty tables that know them."""
