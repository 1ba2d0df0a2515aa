/**
 * What the body of an error says. Providers, proxies and local servers agree on little: the error may be an object,
 * a text, an array of one, or a web page; all of these are read, none of them is trusted to be short.
 */
import { isJsonObject, type JsonObject, parseJson } from '../schema/json.ts';
import { shorten } from '../shorten.ts';

/** The parts of an error body that say something. */
export interface ErrorBody {
  /** Never empty and at most about 500 characters. */
  readonly message: string;
  /** The provider's names for the error, the most exact one first. */
  readonly names: readonly string[];
  /** An HTTP status that stands in the body. */
  readonly status: number | undefined;
}

const LONGEST_MESSAGE = 500;

/** Reads the body of an error, be it text or already parsed. Never throws. */
export function readErrorBody(body: unknown): ErrorBody {
  const parsed = typeof body === 'string' ? (parseJson(body) ?? body) : body;
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const outer = isJsonObject(first) ? first : undefined;
  const inner = isJsonObject(outer?.['error']) ? outer['error'] : outer;
  if (inner === undefined) return { message: short(typeof first === 'string' ? first : ''), names: [], status: undefined };
  const code = inner['code'];
  return {
    message: short(sentenceOf(inner)),
    names: [code, inner['type'], inner['status']].filter((name) => typeof name === 'string'),
    status: typeof code === 'number' && code >= 400 && code < 600 ? code : undefined,
  };
}

function sentenceOf(error: JsonObject): string {
  const said = [error['message'], error['error'], error['detail']].find((text) => typeof text === 'string' && text !== '');
  return typeof said === 'string' ? said : JSON.stringify(error);
}

function short(text: string): string {
  const plain = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? 'it did not say why' : shorten(plain, LONGEST_MESSAGE);
}
