"""The searches: they know a simulator, a novelty table, a budget and a random generator, nothing else."""
