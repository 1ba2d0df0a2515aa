/** What tools might return although no JSON and no structured clone can say it; made anew for each call. */

class BadJson {
  toJSON(): never {
    throw new Error('no JSON today');
  }
}

class Account {
  readonly balance = 5;
  show(): string {
    return `balance ${this.balance}`;
  }
}

/** Odd values by a name that is fit for a tool. The last ones fail. */
export function oddValues(): Readonly<Record<string, () => unknown>> {
  return {
    nothing: () => undefined,
    null_value: () => null,
    empty_text: () => '',
    empty_list: () => [],
    zero: () => 0,
    no: () => false,
    bigint: () => 10n,
    not_a_number: () => Number.NaN,
    cycle: () => {
      const value: Record<string, unknown> = { name: 'loop' };
      return Object.assign(value, { self: value });
    },
    a_function: () => function lookUp() {},
    a_symbol: () => Symbol('mark'),
    promise_within: () => ({ later: Promise.resolve(1) }),
    proxy: () => new Proxy({ a: 1 }, {}),
    hostile_proxy: () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('not yours');
          },
        },
      ),
    class_instance: () => new Account(),
    bad_json: () => new BadJson(),
    throwing_getter: () => ({
      fine: 1,
      get bad(): never {
        throw new Error('no');
      },
    }),
    a_map: () => new Map([['a', { b: 1 }]]),
    a_date: () => new Date(0),
    half_a_character: () => 'cut \ud83d',
    five_megabytes: () => ({ log: 'x'.repeat(5_000_000) }),
    hundred_megabytes: () => 'x'.repeat(100_000_000),
    error_without_message: () => new Error(''),
    error_with_code: () => Object.assign(new RangeError('too far', { cause: new Error('inside') }), { code: 'E_FAR' }),
    rejected_promise: () => Promise.reject(new TypeError('later')),
  };
}
