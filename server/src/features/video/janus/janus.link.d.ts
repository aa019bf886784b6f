/** A message of Janus'. */
export interface JanusMessage {
    janus: string;
    transaction?: string;
    session_id?: number;
    sender?: number;
    data?: {
        id: number;
    };
    error?: {
        code: number;
        reason: string;
    };
    plugindata?: {
        plugin: string;
        data: Record<string, unknown>;
    };
    jsep?: {
        type: 'offer' | 'answer';
        sdp: string;
        e2ee?: boolean;
    };
    [other: string]: unknown;
}
/** Janus refused a request, or did not answer it. */
export declare class JanusFault extends Error {
    readonly code: number;
    constructor(code: number, reason: string);
}
export interface LinkOptions {
    url: string;
    /** Janus' `api_secret`. */
    secret: string | null;
    /** The line is up: Janus answered and took the secret. */
    onUp(): void;
    /** It was up and is lost; all sessions on it are void. */
    onDown(): void;
    log: {
        info(fields: object, message: string): void;
        warn(fields: object, message: string): void;
    };
    answerMs?: number;
    /** Between two tries to come back, at first; doubling up to twenty times that. */
    retryMs?: number;
}
export interface JanusLink {
    readonly url: string;
    isUp(): boolean;
    /** Asks and waits for the final answer, past an acknowledgement. Throws JanusFault, or Problem `video_unavailable` when the line is down. */
    ask(request: Record<string, unknown>): Promise<JanusMessage>;
    /** Sends without waiting for anything. */
    tell(request: Record<string, unknown>): void;
    /** Hears what comes unasked for a session. */
    listen(sessionId: number, listener: (message: JanusMessage) => void): void;
    forget(sessionId: number): void;
    stop(): void;
}
/** Opens the line and keeps it open. */
export declare function createJanusLink({ url, secret, onUp, onDown, log, answerMs, retryMs }: LinkOptions): JanusLink;
