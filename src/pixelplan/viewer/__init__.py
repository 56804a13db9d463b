"""The viewer: a page in the browser on which one can watch the planner think."""
