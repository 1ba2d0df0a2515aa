import { describe, expect, it } from 'vitest';
import { nearestWord } from '../../../src/node/manifest/nearest-word.ts';

const keys = ['name', 'command', 'timeout', 'max_output_bytes', 'ok_exit_codes', 'parameters'];

describe('The nearest word', () => {
  it.each([
    ['comand', 'command'],
    ['Command', 'command'],
    ['tiemout', 'timeout'],
    ['maxOutputBytes', 'max_output_bytes'],
    ['ok_exit_code', 'ok_exit_codes'],
    ['param', 'parameters'],
  ])('to %s is %s', (word, nearest) => {
    expect(nearestWord(word, keys)).toBe(nearest);
  });

  it.each(['argv', 'x', '', '--', 'shell'])('to %j is none that is worth a suggestion', (word) => {
    expect(nearestWord(word, keys)).toBeUndefined();
  });
});
