"""Experiments: what a TOML file describes, played episode by episode into run folders."""
