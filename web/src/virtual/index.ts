/** Conversations of any length on the page. */
export { MessageList, type Listed, type MessageListHandle, type MessageListProps } from "./MessageList";
