"""Published scores, with their sources, and their reader."""
