package model_test

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/model"
)

func ExampleParse() {
	_, err := model.Parse("takt.yaml", []byte(`
topics:
  /imu:
    rate: 200
    max_agee: 20ms
`))
	fmt.Println(err)
	// Output:
	// takt.yaml:1: does not say which version of the system file it is; write takt: 1 in the first line
	// takt.yaml:4: topics./imu.rate has no unit; write 200Hz
	// takt.yaml:5: topics./imu.max_agee is not known; write max_age
}

func ExampleSystem_Format() {
	s := &model.System{Topics: []model.TopicContract{{Name: "/imu", Rate: 200, MaxAge: 20 * time.Millisecond}}}
	fmt.Printf("%s", s.Format(model.Comments{
		model.Path("topics", "/imu"):         "sensor_msgs/msg/Imu",
		model.Path("topics", "/imu", "rate"): "199.8Hz measured",
	}))
	// Output:
	// takt: 1
	//
	// topics:
	//   # sensor_msgs/msg/Imu
	//   /imu:
	//     rate: 200Hz # 199.8Hz measured
	//     max_age: 20ms
}
