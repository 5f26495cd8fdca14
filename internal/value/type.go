// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// A Type is a static type of the policy language. Types are compared by
// pointer; the ones of the language are the variables below, those of the
// standard library stand in its modules.
type Type struct {
	Name string
	Kind Kind   // of its values; Invalid for AnyType and EventType
	Role string // UserMessage and its siblings: the role they are narrowed to

	// Fields are the members of a record or element type, in the order in
	// which a value holds them. Nil: members are not known statically (Any,
	// Str, Dict) or there are none.
	Fields []Field
}

// A Field is one member of a type. Short forms (ToolCall.name) are fields of
// their own.
type Field struct {
	Name string
	Type *Type
}

// Field returns the index of the field called name, or -1.
func (t *Type) Field(name string) int {
	for i, f := range t.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// String returns the type's name as a policy writes it.
func (t *Type) String() string { return t.Name }

// Type returns the type of a Record, nil for any other kind.
func (v *Value) Type() *Type {
	if v.kind != Record {
		return nil
	}
	return v.body.more.typ
}

// The types of the language. Those that stand for JSON have no fields of their
// own: what a dict holds is not known before it is there.
var (
	AnyType   = &Type{Name: "any"}
	NoneType  = &Type{Name: "None", Kind: None}
	StrType   = &Type{Name: "str", Kind: Str}
	IntType   = &Type{Name: "int", Kind: Int}
	FloatType = &Type{Name: "float", Kind: Float}
	BoolType  = &Type{Name: "bool", Kind: Bool}
	ListType  = &Type{Name: "list", Kind: List}
	DictType  = &Type{Name: "dict", Kind: Dict}
	FileType  = &Type{Name: "File", Kind: Dict}

	// EventType has the members that every event has.
	EventType = &Type{Name: "Event", Fields: []Field{{"metadata", AnyType}, {"timestamp", AnyType}}}

	MessageType       = &Type{Name: "Message", Kind: Message, Fields: messageFields}
	UserMessageType   = &Type{Name: "UserMessage", Kind: Message, Role: "user", Fields: messageFields}
	AgentMessageType  = &Type{Name: "AgentMessage", Kind: Message, Role: "assistant", Fields: messageFields}
	SystemMessageType = &Type{Name: "SystemMessage", Kind: Message, Role: "system", Fields: messageFields}

	FunctionType = &Type{Name: "Function", Kind: Function, Fields: []Field{
		{"name", StrType}, {"arguments", DictType},
	}}
	ToolCallType = &Type{Name: "ToolCall", Kind: ToolCall, Fields: []Field{
		{"id", StrType},
		{"type", StrType},
		{"function", FunctionType},
		{"metadata", AnyType},
		{"server", StrType},
		{"name", StrType},
		{"arguments", DictType},
		{"timestamp", AnyType},
	}}
	ToolOutputType = &Type{Name: "ToolOutput", Kind: ToolOutput, Fields: []Field{
		{"role", StrType},
		{"content", AnyType},
		{"tool_call_id", StrType},
		{"metadata", AnyType},
		{"server", StrType},
		{"tool", ToolCallType},
		{"timestamp", AnyType},
	}}
	ToolType = &Type{Name: "Tool", Kind: Tool, Fields: []Field{
		{"name", StrType}, {"description", StrType}, {"inputSchema", AnyType}, {"server", StrType}, {"timestamp", AnyType},
	}}
	ToolParameterType = &Type{Name: "ToolParameter", Kind: ToolParameter, Fields: []Field{
		{"name", StrType},
		{"type", AnyType},
		{"description", StrType},
		{"required", BoolType},
		{"properties", AnyType},
		{"items", AnyType},
		{"enum", AnyType},
	}}
	TextChunkType = &Type{Name: "TextChunk", Kind: TextChunk, Fields: []Field{{"text", StrType}, {"type", StrType}}}
	ImageType     = &Type{Name: "Image", Kind: Image, Fields: []Field{{"image_url", AnyType}, {"type", StrType}}}
)

var messageFields = []Field{
	{"role", StrType}, {"content", AnyType}, {"tool_calls", ListType}, {"metadata", AnyType}, {"timestamp", AnyType},
}

// The field numbers of the element types, as their tables above have them.
const (
	MessageRole, MessageContent, MessageCalls, MessageMetadata, MessageTimestamp = 0, 1, 2, 3, 4

	CallID, CallType, CallFunction, CallMetadata, CallServer = 0, 1, 2, 3, 4
	CallName, CallArguments, CallTimestamp                   = 5, 6, 7

	OutputRole, OutputContent, OutputCallID, OutputMetadata, OutputServer = 0, 1, 2, 3, 4
	OutputTool, OutputTimestamp                                           = 5, 6

	ToolName, ToolDescription, ToolSchema, ToolServer, ToolTimestamp = 0, 1, 2, 3, 4

	ParamName, ParamType, ParamDescription, ParamRequired = 0, 1, 2, 3
	ParamProperties, ParamItems, ParamEnum                = 4, 5, 6

	FunctionName, FunctionArguments = 0, 1
	ChunkText, ChunkType            = 0, 1
	ImageURL, ImageKind             = 0, 1
	ListingTools                    = 0
)

// TypeNamed returns the language's own type called name, nil if it has none.
// "any" and "None" are no names of types in a policy.
func TypeNamed(name string) *Type {
	for _, t := range NamedTypes() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// NamedTypes returns the language's own types, for lookup and suggestions.
func NamedTypes() []*Type {
	return []*Type{
		EventType, MessageType, UserMessageType, AgentMessageType, SystemMessageType, ToolCallType, ToolOutputType,
		ToolType, ToolParameterType, FunctionType, FileType, TextChunkType, ImageType,
		StrType, IntType, FloatType, BoolType, ListType, DictType,
	}
}

// HasType reports whether v is of the type t. An Unknown value has no type
// but AnyType.
func HasType(v *Value, t *Type) bool {
	switch {
	case t == AnyType:
		return true
	case t == EventType:
		return v.kind == Message || v.kind == ToolCall || v.kind == ToolOutput
	case v.kind != t.Kind:
		return false
	case v.kind == Record:
		return v.body.more.typ == t
	case t.Role != "":
		return hasRole(v, t.Role)
	}
	return true
}

// hasRole reports whether the message v speaks in role; the developer's is the
// system's by another name.
func hasRole(v *Value, role string) bool {
	r := v.Field(MessageRole).Text()
	return r == role || role == "system" && r == "developer"
}
