/** One part of every bar. hue: the number of the member whose colour it has. */
export interface Layer {
  readonly name: string;
  readonly hue: number;
  readonly values: readonly number[];
}

/** The top of each layer when layers stand upon one another, the first at the bottom. */
export function tops(layers: readonly Layer[]): readonly (readonly number[])[] {
  const sums: number[][] = [];
  layers.forEach((layer, at) => {
    const below = sums[at - 1];
    sums.push(layer.values.map((value, day) => value + (below?.[day] ?? 0)));
  });
  return sums;
}
