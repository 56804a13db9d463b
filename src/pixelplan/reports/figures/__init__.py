"""The figures of a report, a file for each kind. The only importer of matplotlib.

Columns keep their colour and their marker through all figures but that of calls, where a planner has one
colour at all its budgets.
"""
