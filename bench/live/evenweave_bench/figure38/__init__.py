"""The dissertation's Figure 3.8 on live switches: ECMP against WCMP on three striped fabrics."""
