/**
 * Pictures, as far as providers agree on them. A picture that none of them takes becomes a note: refused, it would
 * stand in the history and end every later request too.
 */
import type { ImageBlock } from '../schema/message.ts';

/** Where a picture is: in the request itself (base64), or somewhere on the web. */
export type ImageSource =
  | { readonly kind: 'data'; readonly mediaType: AcceptedMediaType; readonly data: string }
  | { readonly kind: 'url'; readonly url: string };

const ACCEPTED = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Kinds of pictures that both providers take. */
export type AcceptedMediaType = (typeof ACCEPTED)[number];

/** The picture as it can be sent; undefined when no provider would take it. */
export function imageSource(image: ImageBlock): ImageSource | undefined {
  if (image.data !== undefined) return dataSource(image.media_type, image.data);
  const url = image.url ?? '';
  const inline = /^data:([^;,]+);base64,/i.exec(url);
  if (inline !== null) return dataSource(inline[1], url.slice(inline[0].length));
  return /^https?:\/\//i.test(url) ? { kind: 'url', url } : undefined;
}

/** What the model reads in place of a picture that cannot be sent. */
export function imageNote(image: ImageBlock): string {
  return image.media_type === undefined
    ? '[an image that cannot be shown here]'
    : `[an image of type ${image.media_type}, which cannot be shown here]`;
}

function dataSource(mediaType: string | undefined, data: string): ImageSource | undefined {
  const wanted = mediaType?.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mediaType?.toLowerCase();
  const accepted = ACCEPTED.find((type) => type === wanted);
  return accepted === undefined || data === '' ? undefined : { kind: 'data', mediaType: accepted, data };
}
