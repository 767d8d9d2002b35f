"""CP-SAT choices for Valor & Victory: which units move where, alone, led, or aboard."""
