/** The lines of relations in the room. Their places are written past React; see lineFollower.ts. */
import { memo, useCallback } from 'react';
import type { Scheme } from '../../../ui/figures/index.ts';
import names from '../drawing/FieldParts.module.css';
import type { LineFollower } from './lineFollower.ts';
import { type RelationOnField, WORD_SIZE } from './relationLine.ts';
import { RelationStrokes } from './RelationStrokes.tsx';

/** A style, as the class of names sets a size too. */
const WORD_STYLE = { fontSize: `${WORD_SIZE}em` };

interface RelationLayerProps {
  follower: LineFollower;
  relations: readonly RelationOnField[];
  scheme: Scheme;
  /** Whether words are shown. */
  words: boolean;
}

export function RelationLayer({ follower, relations, scheme, words }: RelationLayerProps) {
  return relations.map(({ word, ...relation }) => (
    <Line
      key={`${relation.from} ${relation.to}`}
      {...relation}
      follower={follower}
      scheme={scheme}
      word={words ? word : ''}
    />
  ));
}

type LineProps = RelationOnField & Pick<RelationLayerProps, 'follower' | 'scheme'>;

/** Drawn anew when it looks different, and not with each move of its figures. */
const Line = memo(function Line({ follower, from, to, kind, color, word, bent, scheme }: LineProps) {
  const hasWord = word !== '';
  const ref = useCallback(
    (element: SVGGElement | null) => (element ? follower.attach({ from, to, kind, bent }, element) : undefined),
    // A word that comes or goes is an element that has to be found.
    [follower, from, to, kind, bent, hasWord], // eslint-disable-line react-hooks/exhaustive-deps
  );
  return (
    <g ref={ref} data-relation={`${from} ${to}`} data-kind={kind} className={names.name}>
      <RelationStrokes relation={{ kind, color }} scheme={scheme} />
      {hasWord && (
        <text textAnchor="middle" dy="0.35em" style={WORD_STYLE}>
          {word}
        </text>
      )}
    </g>
  );
});
