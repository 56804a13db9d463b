"""What finished runs say: statistics, tables and figures."""
