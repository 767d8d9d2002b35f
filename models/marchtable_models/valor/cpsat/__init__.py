"""What CP-SAT chooses for Valor & Victory: who moves where, alone, with a leader, or aboard."""
