"""How fast `reduce` answers a stream of groups, and what memory `weights` takes for many pairs."""
