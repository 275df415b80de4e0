// heed/langchain: Heed's models as models of LangChain.
export { ChatHeed, type ChatHeedCallOptions, type ChatHeedFields } from './chat-model.js'
export { HeedEmbeddings, type HeedEmbeddingsFields } from './embeddings.js'
export { HeedReranker, type HeedRerankerFields } from './reranker.js'
