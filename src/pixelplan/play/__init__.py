"""Playing: an agent that decides, episodes, and what is kept of them."""
