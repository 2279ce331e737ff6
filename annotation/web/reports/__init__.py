"""The report's pages: live, frozen, shared and compared, agreement, raters and the planner."""
