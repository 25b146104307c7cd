"""Two hosts with evenweave-edge, and a fabric of Linux routers between them."""
