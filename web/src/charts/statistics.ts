/** The 97.5 % quantile of the normal distribution: both ends of a 95 % interval are this many errors away. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 95 % interval of a share of `right` in `count` by Wilson (1927); everything where nothing was counted. */
export function wilson(right: number, count: number): Interval {
  if (count <= 0) return { low: 0, high: 1 };
  const share = right / count;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (Z / (1 + z2 / count)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The logarithm of n!, exact to the sum of its terms; the counts here are small. */
function logFactorial(n: number): number {
  let sum = 0;
  for (let each = 2; each <= n; each += 1) sum += Math.log(each);
  return sum;
}

/**
 * How far a share of `count` draws lies from `p` on average, when each is right with probability `p`.
 * De Moivre (1730): E|X - np| = 2 v C(n, v) p^v (1-p)^(n-v+1) with v = floor(np) + 1; see Diaconis and Zabell (1991).
 */
export function meanDeviation(p: number, count: number): number {
  if (count <= 0 || p <= 0 || p >= 1) return 0;
  const v = Math.floor(count * p) + 1;
  if (v > count) return 2 * p ** count * (1 - p); // np rounds up to n by the arithmetic of floats
  const log = logFactorial(count) - logFactorial(v) - logFactorial(count - v);
  return (2 * v * Math.exp(log + v * Math.log(p) + (count - v + 1) * Math.log(1 - p))) / count;
}

/**
 * The calibration error that somebody who is perfectly calibrated would show by chance alone: the mean over bins of
 * the expected |p - share right|. A measured error near this floor says nothing against it. null without any.
 */
export function errorFloor(bins: readonly { readonly p: number; readonly count: number }[]): number | null {
  const total = bins.reduce((sum, bin) => sum + bin.count, 0);
  if (total === 0) return null;
  return bins.reduce((sum, bin) => sum + bin.count * meanDeviation(bin.p, bin.count), 0) / total;
}

/** What n answers are worth whose errors correlate by `mean` on average, never below 0: Kish (1965), section 5.4. */
export function effectiveVotes(n: number, mean: number): number {
  return n / (1 + (n - 1) * Math.max(0, mean));
}

/** The mean of numbers; null without any. */
export function mean(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
