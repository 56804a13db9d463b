"""Reports on finished runs: statistics, tables and figures."""
