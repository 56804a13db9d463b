"""Worlds that can be rewound."""
