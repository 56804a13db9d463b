"""Playing: an agent that decides, episodes, and their records."""
