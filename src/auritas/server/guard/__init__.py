"""What stands between the network and the routes: one module for each line of defence, in the order of `gate.Guard`."""
