"""`python -m pixelplan` is the command `pixelplan`."""

from pixelplan.cli import main

if __name__ == "__main__":
    main()
