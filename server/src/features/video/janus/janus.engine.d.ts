import type { VideoEngine } from '../video.types.ts';
import { type LinkOptions } from './janus.link.ts';
export interface JanusEngineOptions extends Pick<LinkOptions, 'log' | 'answerMs' | 'retryMs' | 'secret'> {
    urls: readonly string[];
    /** The videoroom plugin's `admin_key`, without which it makes no rooms where one is set. */
    adminKey: string | null;
}
/**
 * Makes the engine on Janus. In: addresses, secrets, log. Out: ready as soon as one server answers; lines that are lost come back by themselves,
 * and rooms of a server that is lost move to another one with the next person who comes.
 */
export declare function createJanusEngine({ urls, secret, adminKey, log, answerMs, retryMs }: JanusEngineOptions): VideoEngine;
