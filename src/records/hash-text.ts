/** Odd constants of 32 bits whose bits are well mixed (Knuth's golden ratio, and its like). */
const PRIMES = [0x9e3779b1, 0x85ebca77] as const;

/**
 * A hash of 53 bits, as a whole number from 0. Equal texts have equal hashes; texts that differ have
 * different ones but for an accident, so that whoever relies on equality compares the texts too.
 */
export function hashText(text: string): number {
  let low = 0x2545f491;
  let high = 0x6c078965;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, PRIMES[0]);
    high = Math.imul(high ^ unit, PRIMES[1]);
  }
  low = mix(low ^ (high >>> 15));
  high = mix(high ^ (low >>> 13));
  return 2 ** 32 * (high & 0x1fffff) + (low >>> 0);
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), PRIMES[1]);
  return once ^ (once >>> 13);
}
