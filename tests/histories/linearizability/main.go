// Linearizability checks what was done to single objects, each for itself: whether all operations
// on one can have happened one after the other, each at a moment between its call and its return.
// It reads a history from a file, a JSON object a line, and prints the part of each object that
// cannot be explained. Exit code 1 if there is one, 2 if the history cannot be read or is not
// decided in time.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Time limit of porcupine's search where no order was found at once.
const patience = 2 * time.Minute

// The status of an absent object.
const notFound = 404

// Number of operations printed around those that cannot be explained.
const shown = 12

// One operation on one object. Version 0 is that of an absent object.
type operation struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	Call int64  `json:"call"`
	// Absent if it is unknown whether it was done.
	Return *int64 `json:"return"`
	// The required version; absent if there is none.
	Expected *int64 `json:"expected"`
	// The required time of the state; absent if there is none.
	ExpectedTime *int64 `json:"expectedTime"`
	// The value that it writes, also where no object exists.
	Written *int64 `json:"written"`
	// The increment of the value of an object, which has to exist.
	Adds *int64 `json:"adds"`
	// True if it deletes the object; on an absent object nothing is to be done.
	Deletes bool `json:"deletes"`
	// The status of its refusal, after which it changed nothing.
	Refused *int64 `json:"refused"`
	// The correct status of a refusal, unless there is no object to add to.
	Refusal *int64 `json:"refusal"`
	// The version afterwards; absent if unknown.
	Version *int64 `json:"version"`
	Value   int64  `json:"value"`
	// The value in the answer to a write; absent if it has none.
	Answered *int64 `json:"answered"`
	// The time at which the state was committed, by a server's clock; absent if unknown.
	Time *int64 `json:"time"`
}

// A state of one object. Times of its states grow from one to the next, also across lives.
type state struct {
	version, value int64
	// The time of this state if known, else of an earlier one.
	time  int64
	timed bool
}

func step(before, input, _ interface{}) (bool, interface{}) {
	now, done := before.(state), input.(operation)
	if done.reads() {
		return done.Return == nil || done.isReadOf(now), done.seen(now)
	}
	if done.Refused != nil {
		return done.isRefusedBy(now), now
	}
	if !done.isAllowedBy(now) {
		return done.Return == nil, now
	}
	after := done.after(now)
	return done.isAnswerFor(after), done.seen(after)
}

func (done operation) reads() bool {
	return done.Written == nil && done.Adds == nil && !done.Deletes
}

// True if it leaves any state of the object unchanged.
func (done operation) changesNothing() bool {
	return done.reads() || done.Refused != nil
}

func (done operation) isReadOf(now state) bool {
	return now.version == *done.Version && now.value == done.Value && now.mayHave(done.Time)
}

// Returns what is known of a state after a read of it.
func (done operation) seen(now state) state {
	if done.Time != nil && done.Return != nil {
		now.time, now.timed = *done.Time, true
	}
	return now
}

// A state whose time is unknown is later than the last one whose time is known.
func (now state) mayHave(time *int64) bool {
	return time == nil || (now.timed && *time == now.time) || (!now.timed && *time > now.time)
}

func (now state) surelyHas(time *int64) bool {
	return time == nil || (now.timed && *time == now.time)
}

func (done operation) isAllowedBy(now state) bool {
	return done.isOf(now) && now.mayHave(done.ExpectedTime)
}

func (done operation) isOf(now state) bool {
	return (done.Expected == nil || *done.Expected == now.version) && (done.Adds == nil || now.version > 0)
}

// A required object that is absent is distinguished from one of another version.
func (done operation) isRefusedBy(now state) bool {
	if done.Adds != nil && now.version == 0 {
		return *done.Refused == notFound
	}
	return *done.Refused == *done.Refusal && !(done.isOf(now) && now.surelyHas(done.ExpectedTime))
}

// Each life of an object begins with version 1.
func (done operation) after(now state) state {
	after := state{time: now.time}
	if done.ExpectedTime != nil {
		after.time = *done.ExpectedTime
	}
	if done.Deletes {
		return after
	}
	after.version = now.version + 1
	if done.Adds != nil {
		after.value = now.value + *done.Adds
	} else {
		after.value = *done.Written
	}
	return after
}

func (done operation) isAnswerFor(after state) bool {
	return (done.Version == nil || *done.Version == after.version) &&
		(done.Answered == nil || *done.Answered == after.value) &&
		(done.Time == nil || *done.Time > after.time)
}

var model = porcupine.Model{
	Init: func() interface{} { return state{} },
	Step: step,
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: linearizability <file>")
	}
	objects, err := read(os.Args[1])
	if err != nil {
		fail(err.Error())
	}
	code, operations := 0, 0
	for _, key := range keys(objects) {
		operations += len(objects[key])
		if explains(findOrder(objects[key]), objects[key]) {
			continue
		}
		switch result, info := porcupine.CheckOperationsVerbose(model, objects[key], patience); result {
		case porcupine.Illegal:
			fmt.Printf("%s is not linearizable\n", key)
			explain(objects[key], info)
			code = 1
		case porcupine.Unknown:
			fail(key + " is not decided in " + patience.String())
		}
	}
	fmt.Printf("%d objects, %d operations\n", len(objects), operations)
	os.Exit(code)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}

func read(path string) (map[string][]porcupine.Operation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	objects := map[string][]porcupine.Operation{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var done operation
		if err := json.Unmarshal(lines.Bytes(), &done); err != nil {
			return nil, err
		}
		if done.Return != nil && done.reads() && done.Version == nil {
			return nil, fmt.Errorf("a read without a version: %s", lines.Text())
		}
		objects[done.Key] = append(objects[done.Key], porcupine.Operation{Input: done, Call: done.Call, Return: end(done)})
	}
	return objects, lines.Err()
}

func end(done operation) int64 {
	if done.Return == nil {
		return math.MaxInt64
	}
	return *done.Return
}

func keys(objects map[string][]porcupine.Operation) []string {
	var all []string
	for key := range objects {
		all = append(all, key)
	}
	sort.Strings(all)
	return all
}

// Prints the end of the longest order found, and the next operations in time.
func explain(all []porcupine.Operation, info porcupine.LinearizationInfo) {
	var longest []porcupine.Operation
	for _, order := range info.PartialLinearizationsOperations()[0] {
		if len(order) > len(longest) {
			longest = order
		}
	}
	placed := map[string]bool{}
	for _, one := range longest {
		placed[describe(one)] = true
	}
	fmt.Printf("  %d of %d operations can be put in an order, which ends:\n", len(longest), len(all))
	for i := max(0, len(longest)-shown); i < len(longest); i++ {
		fmt.Println("    " + describe(longest[i]))
	}
	fmt.Println("  and none of these can be the next:")
	sort.SliceStable(all, func(i, j int) bool { return all[i].Call < all[j].Call })
	for i, left := 0, shown; i < len(all) && left > 0; i++ {
		if !placed[describe(all[i])] {
			fmt.Println("    " + describe(all[i]))
			left--
		}
	}
}

func describe(one porcupine.Operation) string {
	done := one.Input.(operation)
	text := fmt.Sprintf("%12.6f to %-12s %s:", float64(done.Call)/1e9, until(done), done.Name)
	if done.Expected != nil {
		text += fmt.Sprintf(" if version %d,", *done.Expected)
	}
	if done.ExpectedTime != nil {
		text += fmt.Sprintf(" of time %d,", *done.ExpectedTime)
	}
	switch {
	case done.Written != nil:
		text += fmt.Sprintf(" writes %d", *done.Written)
	case done.Adds != nil:
		text += fmt.Sprintf(" adds %d", *done.Adds)
	case done.Deletes:
		text += " deletes"
	case done.Version != nil:
		return text + fmt.Sprintf(" sees version %d, %d", *done.Version, done.Value) + timeIn(done)
	}
	return text + answer(done)
}

func answer(done operation) string {
	text := ""
	if done.Refused != nil {
		text += fmt.Sprintf(" and is refused by %d", *done.Refused)
	}
	if done.Version != nil {
		text += fmt.Sprintf(" as version %d", *done.Version)
	}
	if done.Answered != nil {
		text += fmt.Sprintf(", which is %d", *done.Answered)
	}
	return text + timeIn(done)
}

func timeIn(done operation) string {
	if done.Time == nil {
		return ""
	}
	return fmt.Sprintf(", of time %d", *done.Time)
}

func until(done operation) string {
	if done.Return == nil {
		return "unknown"
	}
	return fmt.Sprintf("%12.6f", float64(*done.Return)/1e9)
}
