"""Experiments: described by a TOML file, and played episode by episode into run folders."""
