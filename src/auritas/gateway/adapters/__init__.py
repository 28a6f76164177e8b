"""Everything in this folder may know vendors, frameworks and the network; only `auritas.app` imports it."""
