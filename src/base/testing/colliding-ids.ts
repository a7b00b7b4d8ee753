/** Two rollout_ids with one hash (found by Pollard's rho): see `hashText`. */
export const COLLIDING_IDS = ["r-7254878a90c541", "r-79ea59b28ba370"] as const;
