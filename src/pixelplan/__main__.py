"""`python -m pixelplan` is the command `pixelplan`."""

from pixelplan.cli import main

main()
