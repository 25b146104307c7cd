"""How long `weights` takes to answer on all pairs of a fabric's switches, by maximum flow."""
