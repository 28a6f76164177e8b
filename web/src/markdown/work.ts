/**
 * How much parsing was done, counted instead of timed: a test that counts says the same on every machine.
 *
 * `charactersParsed` is every character that was handed to the block splitter or to the lexer, each time it was handed.
 */
export const work = { charactersParsed: 0 };

export function countParsed(characters: number): void {
  work.charactersParsed += characters;
}

export function resetWork(): void {
  work.charactersParsed = 0;
}
