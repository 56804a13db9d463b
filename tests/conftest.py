"""How Hypothesis runs here: the same examples every time, and no stopwatch."""

from hypothesis import settings

settings.register_profile("pixelplan", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("pixelplan")
