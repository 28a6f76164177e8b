"""The council: members answer at once, their answers become candidates, and a policy chooses among them."""
