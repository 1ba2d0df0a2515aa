/**
 * The tool calls of a Chat Completions stream, put together from their pieces. Servers disagree on how a piece tells which
 * call it belongs to: by index, by id, by neither; ids may be empty, names may come again or empty in later pieces.
 */
import { isJsonObject, type JsonObject } from '../schema/json.ts';

/** A call as far as it has come. */
export interface StreamedCall {
  /** Place among the calls of the reply, from 0. */
  readonly call: number;
  /** '' where the server gave none. */
  id: string;
  name: string;
  /** Text of the arguments as it came. */
  text: string;
  /** What the server wants back with the call, such as the signature of the thought behind it. */
  extra: JsonObject | undefined;
}

/** What a piece added to its call. */
export interface AddedPiece {
  readonly call: StreamedCall;
  /** First piece of the call. */
  readonly isNew: boolean;
  readonly text: string;
}

/** The calls of one reply. */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  readonly #byIndex = new Map<number, StreamedCall>();

  /** Takes one entry of a chunk's `tool_calls`; undefined where it is none. */
  push(entry: unknown): AddedPiece | undefined {
    if (!isJsonObject(entry)) return undefined;
    const piece = readPiece(entry);
    const known = this.#callOf(piece);
    const call = known ?? this.#start(piece);
    if (known !== undefined) {
      known.id ||= piece.id;
      // A name may come in parts; one that is only said again is not another part.
      if (piece.name !== known.name) known.name += piece.name;
    }
    call.text += piece.text;
    call.extra = piece.extra ?? call.extra;
    return { call, isNew: known === undefined, text: piece.text };
  }

  #callOf(piece: Piece): StreamedCall | undefined {
    if (piece.index !== undefined) {
      const known = this.#byIndex.get(piece.index);
      // Some servers give every call index 0: another id with a name is another call. An id alone is not, others make one for each piece.
      const another = piece.id !== '' && known?.id !== '' && piece.id !== known?.id && piece.name !== '';
      return another ? undefined : known;
    }
    if (piece.id !== '') return this.#calls.find((call) => call.id === piece.id);
    return piece.name === '' ? this.#calls.at(-1) : undefined;
  }

  #start(piece: Piece): StreamedCall {
    const call = { call: this.#calls.length, id: piece.id, name: piece.name, text: '', extra: undefined };
    this.#calls.push(call);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    return call;
  }
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly extra: JsonObject | undefined;
}

function readPiece(entry: JsonObject): Piece {
  const called = isJsonObject(entry['function']) ? entry['function'] : {};
  return {
    index: typeof entry['index'] === 'number' ? entry['index'] : undefined,
    id: textOf(entry['id']),
    name: textOf(called['name']),
    text: isJsonObject(called['arguments']) ? JSON.stringify(called['arguments']) : textOf(called['arguments']),
    extra: isJsonObject(entry['extra_content']) ? entry['extra_content'] : undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
