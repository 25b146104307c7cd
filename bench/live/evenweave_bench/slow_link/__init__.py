"""TCP flows beside a link at a hundredth of its speed, with groups that use it and that do not."""
